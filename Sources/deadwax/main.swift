import CBuild
import DeadwaxCLI

#if TLS
  import ServerTLS

  Program.main(encryption: ServerCertificate.encryption, commit: String(cString: dw_build_commit()))
#else
  Program.main(commit: String(cString: dw_build_commit()))
#endif
