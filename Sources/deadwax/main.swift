import DeadwaxCLI

Program.main()
