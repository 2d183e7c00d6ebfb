import StoreTool

Tool.main()
