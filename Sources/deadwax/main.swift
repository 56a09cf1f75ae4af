import DeadwaxCLI

#if TLS
  import ServerTLS

  Program.main(encryption: ServerCertificate.encryption)
#else
  Program.main()
#endif
