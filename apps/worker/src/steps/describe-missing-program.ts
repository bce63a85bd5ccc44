/** Debian packages of programs that steps are likely to run. Most packages have the name of the program. */
const PACKAGES = new Map([
  ...['curl', 'file', 'git', 'jq', 'nmap', 'openssl', 'perl', 'python3', 'rsync', 'sqlite3'].map(sameName),
  ...['unzip', 'wget', 'whois', 'zip'].map(sameName),
  ['awk', 'mawk'],
  ['dig', 'bind9-dnsutils'],
  ['go', 'golang-go'],
  ['xmllint', 'libxml2-utils'],
]);

function sameName(name: string): [string, string] {
  return [name, name];
}

/** Messages of the runner, bash, env and xargs for a missing program, with status 127. */
const MESSAGE_FORMS = [
  /^cannot run (\S+): No such file or directory$/,
  /: ([^\s:]+): command not found$/,
  /^env: [‘'](.+)[’']: No such file or directory$/,
  /^xargs: (\S+): No such file or directory$/,
];

/**
 * Explains exit code 127 from the last line of standard error: names the missing program and its package. Returns null if
 * that line is not about a missing program.
 */
export function describeMissingProgram(line: string): string | null {
  const program = MESSAGE_FORMS.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
  if (program === undefined) return null;
  const packageName = PACKAGES.get(program);
  const advice = packageName === undefined ? '' : ` (apt-get install ${packageName})`;
  return `${program} is not installed on this worker${advice}`;
}
