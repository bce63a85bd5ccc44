import { findChromium } from './find-chromium.mjs';

/**
 * A program that must be installed on the machine.
 * @typedef {object} Tool
 * @property {string} command
 * @property {boolean} required if false, its absence is only a warning
 * @property {string} purpose
 * @property {boolean} [inSteps] the steps of workflows run it, and they search only the system's folders
 * @property {Record<ManagerName, string>} packages the packages that contain it, separated by spaces
 *
 * @typedef {'apt' | 'dnf' | 'apk' | 'brew'} ManagerName
 */

/** @type {Record<string, Tool>} */
const TOOLS = {
  redis: {
    command: 'redis-server',
    required: true,
    purpose: 'queues (or set REDIS_URL)',
    packages: { apt: 'redis-server', dnf: 'redis', apk: 'redis', brew: 'redis' },
  },
  nats: {
    command: 'nats-server',
    required: true,
    purpose: 'messages between the services (or set NATS_URL)',
    packages: { apt: 'nats-server', dnf: 'nats-server', apk: 'nats-server', brew: 'nats-server' },
  },
  bubblewrap: {
    command: 'bwrap',
    required: false,
    purpose: 'isolation of workflow steps',
    packages: { apt: 'bubblewrap', dnf: 'bubblewrap', apk: 'bubblewrap', brew: '' },
  },
  perl: {
    command: 'perl',
    required: true,
    purpose: 'limits of workflow steps',
    packages: { apt: 'perl-base', dnf: 'perl-interpreter', apk: 'perl', brew: 'perl' },
  },
  ip: {
    command: 'ip',
    required: false,
    purpose: 'tests of workers on other machines',
    packages: { apt: 'iproute2', dnf: 'iproute', apk: 'iproute2', brew: '' },
  },
  chromium: {
    command: 'chromium',
    required: true,
    purpose: 'tests of the dashboard (or set CHROMIUM_PATH)',
    // Chromium ends at once on a machine without any font.
    packages: {
      apt: 'chromium fonts-liberation',
      dnf: 'chromium',
      apk: 'chromium font-liberation',
      brew: 'google-chrome',
    },
  },
};

/**
 * The programs that built-in modules run and that not every system has. If one is missing, everything else works.
 * @type {Tool[]}
 */
export const MODULE_TOOLS = [
  moduleTool('curl', 'modules download-list, download-url, http-probe and http-request', {
    apt: 'curl ca-certificates',
    dnf: 'curl ca-certificates',
    apk: 'curl ca-certificates',
    brew: 'curl',
  }),
  moduleTool('dig', 'module dns-lookup', { apt: 'bind9-dnsutils', dnf: 'bind-utils', apk: 'bind-tools', brew: 'bind' }),
  moduleTool('git', 'modules git-clone and git-log', {
    apt: 'git ca-certificates',
    dnf: 'git',
    apk: 'git ca-certificates',
    brew: 'git',
  }),
  moduleTool('jq', 'modules jq and json-array-to-lines', { apt: 'jq', dnf: 'jq', apk: 'jq', brew: 'jq' }),
  moduleTool('nmap', 'module port-scan', { apt: 'nmap', dnf: 'nmap', apk: 'nmap', brew: 'nmap' }),
  moduleTool('openssl', 'modules hash-file and tls-certificate', {
    apt: 'openssl',
    dnf: 'openssl',
    apk: 'openssl',
    brew: 'openssl',
  }),
  moduleTool('python3', 'scripts in Python, which most modules are', {
    apt: 'python3',
    dnf: 'python3',
    apk: 'python3',
    brew: 'python',
  }),
  moduleTool('xmllint', 'module xpath', {
    apt: 'libxml2-utils',
    dnf: 'libxml2',
    apk: 'libxml2-utils',
    brew: 'libxml2',
  }),
];

/**
 * @param {string} command
 * @param {string} purpose
 * @param {Record<ManagerName, string>} packages
 * @returns {Tool}
 */
function moduleTool(command, purpose, packages) {
  return { command, required: false, purpose, inSteps: true, packages };
}

/**
 * The programs that are needed and that this machine does not have.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {(command: string, path?: string) => string | undefined} find as `findCommand`
 * @param {{ browser?: boolean, network?: boolean }} [needs] what only tests need; browser: Chromium, network: namespaces
 * @returns {Tool[]}
 */
export function missingTools(env, platform, find, { browser = false, network = false } = {}) {
  const names = [
    ...(env.REDIS_URL ? [] : ['redis']),
    ...(env.NATS_URL ? [] : ['nats']),
    ...(platform === 'linux' ? ['bubblewrap', 'perl'] : []),
    ...(network && platform === 'linux' ? ['ip'] : []),
    ...(browser ? ['chromium'] : []),
  ];
  const tools = [...names.map((name) => /** @type {Tool} */ (TOOLS[name])), ...MODULE_TOOLS];
  return tools.filter((tool) => isMissing(tool, find, env));
}

/**
 * @param {Tool} tool
 * @param {(command: string, path?: string) => string | undefined} find as `findCommand`
 * @param {NodeJS.ProcessEnv} env
 */
export function isMissing({ command, inSteps }, find, env) {
  if (command === 'chromium') return !findChromium(env, find);
  return !(inSteps ? find(command, '') : find(command));
}

/**
 * @typedef {{ name: ManagerName, command: string, install: string[], refresh?: string[] }} Manager refresh: run before a second attempt
 */

/** @type {Manager[]} */
const MANAGERS = [
  {
    name: 'apt',
    command: 'apt-get',
    install: ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'],
    refresh: ['update'],
  },
  { name: 'dnf', command: 'dnf', install: ['install', '-y'] },
  { name: 'apk', command: 'apk', install: ['add'], refresh: ['update'] },
  { name: 'brew', command: 'brew', install: ['install'] },
];

/**
 * @param {(command: string) => string | undefined} find
 * @returns {Manager | undefined} the package manager of this machine
 */
export function findManager(find) {
  return MANAGERS.find(({ command }) => find(command));
}

/**
 * @param {Manager} manager
 * @param {Tool[]} tools
 * @returns {string[]} package names
 */
export function packagesFor(manager, tools) {
  return [...new Set(tools.flatMap(({ packages }) => packages[manager.name].split(' ')))].filter(Boolean);
}

/**
 * The Debian packages in the worker's image: for sandboxes and limits of steps, and all that modules of the library run.
 * `mount` prepares the container for sandboxes.
 */
export function workerPackages() {
  const isolation = [TOOLS.bubblewrap, TOOLS.perl].flatMap((tool) => tool?.packages.apt ?? []);
  const modules = MODULE_TOOLS.flatMap(({ packages }) => packages.apt.split(' '));
  return [...new Set([...isolation, 'mount', ...modules])].sort();
}

/**
 * The command that a user can type to install them.
 * @param {Manager | undefined} manager
 * @param {Tool[]} tools
 */
export function installAdvice(manager, tools) {
  if (!manager) return tools.map(({ command, purpose }) => `  ${command}: ${purpose}`).join('\n');
  const prefix = manager.name === 'brew' ? '' : 'sudo ';
  const refresh = manager.name === 'apt' ? 'sudo apt-get update && ' : '';
  const verb = manager.name === 'apk' ? 'add' : 'install';
  return `  ${refresh}${prefix}${manager.command} ${verb} ${packagesFor(manager, tools).join(' ')}`;
}
