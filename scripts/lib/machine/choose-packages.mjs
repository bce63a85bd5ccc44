/**
 * A program of the machine that something needs.
 * @typedef {object} Tool
 * @property {string} command
 * @property {boolean} required false: its absence is a warning
 * @property {string} purpose
 * @property {Record<ManagerName, string>} packages what brings it
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
};

/**
 * The programs that this machine lacks and this system needs.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @param {(command: string) => string | undefined} find
 * @returns {Tool[]}
 */
export function missingTools(env, platform, find) {
  const wanted = [
    ...(env.REDIS_URL ? [] : ['redis']),
    ...(env.NATS_URL ? [] : ['nats']),
    ...(platform === 'linux' ? ['bubblewrap', 'perl'] : []),
  ];
  return wanted.map((name) => /** @type {Tool} */ (TOOLS[name])).filter(({ command }) => !find(command));
}

/**
 * @typedef {{ name: ManagerName, command: string, install: string[], refresh?: string[] }} Manager refresh: run before a second try
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
  return tools.map(({ packages }) => packages[manager.name]).filter(Boolean);
}

/**
 * What a person types to install them.
 * @param {Manager | undefined} manager
 * @param {Tool[]} tools
 */
export function installAdvice(manager, tools) {
  if (!manager) return tools.map(({ command, purpose }) => `  ${command}: ${purpose}`).join('\n');
  const as = manager.name === 'brew' ? '' : 'sudo ';
  const refresh = manager.name === 'apt' ? 'sudo apt-get update && ' : '';
  const verb = manager.name === 'apk' ? 'add' : 'install';
  return `  ${refresh}${as}${manager.command} ${verb} ${packagesFor(manager, tools).join(' ')}`;
}
