import CrashTest

CrashTest.main()
