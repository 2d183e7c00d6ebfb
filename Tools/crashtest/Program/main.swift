import CrashTest

await CrashTest.main()
