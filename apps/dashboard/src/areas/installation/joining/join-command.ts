const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The command with which a machine joins. The token is in a file, because other users of a machine can list the arguments of
 * processes.
 * @param origin address of the installation
 */
export function joinCommand(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  // The command refuses an address without TLS, unless it is one of the same machine.
  const needsConsent = protocol === 'http:' && !LOCAL_HOSTS.includes(hostname);
  return `npx millrace-worker join ${origin} --token-file token${needsConsent ? ' --allow-http' : ''}`;
}
