/** Debian's package of what a step is likely to run: most bear the program's name. */
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

/** How the runner, bash, env and xargs say that there is no such program, with status 127. */
const FORMS = [
  /^cannot run (\S+): No such file or directory$/,
  /: ([^\s:]+): command not found$/,
  /^env: [‘'](.+)[’']: No such file or directory$/,
  /^xargs: (\S+): No such file or directory$/,
];

/**
 * What to tell the user of a command that ended with status 127, from the last line of its standard error; null where
 * that line does not speak of a missing program.
 */
export function describeMissingProgram(line: string): string | null {
  const program = FORMS.map((form) => form.exec(line)?.[1]).find((name) => name !== undefined);
  if (program === undefined) return null;
  const wanted = PACKAGES.get(program);
  const advice = wanted === undefined ? '' : ` (apt-get install ${wanted})`;
  return `${program} is not installed on this worker${advice}`;
}
