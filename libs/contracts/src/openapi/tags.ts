/** A group of operations in the description, for a reader who looks for "Schedules" and knows no service. */
export interface Tag {
  name: string;
  description: string;
  /** `<service>.<resource>` of the operations. */
  resources: readonly string[];
}

/** In the order of a user's way: an account, a workflow, its runs, their results. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Account',
    description: 'Sign up, sign in, sessions, the second factor, passwords, and the profile of the caller.',
    resources: [
      'auth.sessions',
      'auth.users',
      'auth.mfa',
      'auth.passwords',
      'auth.google',
      'auth.devices',
      'auth.keys',
    ],
  },
  {
    name: 'Vault and members',
    description: 'The vault is the organization: its members, invitations and teams, and the audit log.',
    resources: ['auth.vaults', 'auth.members', 'auth.invitations', 'auth.teams', 'auth.audit'],
  },
  {
    name: 'Roles',
    description: 'Who may do what in the vault and in each space.',
    resources: ['auth.roles'],
  },
  {
    name: 'Spaces and projects',
    description: 'Spaces contain projects and workflows, and have roles of their own.',
    resources: ['workflows.spaces', 'workflows.projects'],
  },
  {
    name: 'Workflows',
    description:
      'Graphs of nodes and connections, with immutable versions. Import, export, copy, move and validate them.',
    resources: ['workflows.workflows', 'workflows.versions', 'workflows.models'],
  },
  {
    name: 'Library',
    description: 'Tools, scripts and modules to build workflows from, and published snapshots of workflows.',
    resources: ['workflows.modules', 'workflows.snapshots'],
  },
  {
    name: 'Schedules and hooks',
    description: 'Start runs at times, or when another system calls a URL.',
    resources: ['workflows.schedules', 'workflows.hooks'],
  },
  {
    name: 'Secrets',
    description: 'Encrypted variables that workflows use and no response contains.',
    resources: ['workflows.secrets'],
  },
  {
    name: 'Files',
    description: 'Files and folders of the vault, which runs take as inputs.',
    resources: ['workflows.files', 'workflows.folders'],
  },
  {
    name: 'Runs',
    description:
      'Start, watch, stop, repair, explain and compare executions of workflows, and set how long they are kept.',
    resources: ['runs.runs', 'runs.failures', 'runs.compare', 'runs.parameters', 'auth.retention'],
  },
  {
    name: 'Subjobs',
    description: 'The executions of single nodes and of their children: status, logs, approval, retry.',
    resources: ['runs.subjobs', 'runs.approvals', 'runs.cache'],
  },
  { name: 'Outputs', description: 'The files that subjobs have written.', resources: ['runs.outputs'] },
  {
    name: 'Workers',
    description: 'The machines that execute subjobs, in fleets that nodes choose from.',
    resources: ['runs.workers', 'runs.fleets', 'auth.joinTokens', 'auth.joinedWorkers'],
  },
  {
    name: 'Live Tables',
    description: 'Tables of results that runs load: columns, rows, queries, saved views, exports and changes.',
    resources: [
      ...['datasets.solutions', 'datasets.datasets', 'datasets.columns', 'datasets.indexes', 'datasets.rows'],
      ...['datasets.loads', 'datasets.views', 'datasets.queryFolders', 'datasets.reportingNodes'],
      ...['datasets.detectedTables', 'datasets.exports', 'datasets.runTables'],
    ],
  },
  {
    name: 'Sandbox',
    description: 'Interactive sessions on a worker: commands and files in an isolated workspace.',
    resources: ['runs.sandboxes'],
  },
  {
    name: 'Notifications',
    description: 'What users want to be notified of, and the notifications themselves.',
    resources: [
      ...['notifications.notifications', 'notifications.config', 'notifications.follows'],
      ...['notifications.tableFollows', 'notifications.viewFollows'],
    ],
  },
  {
    name: 'Webhooks',
    description: 'Signed requests to other systems when something happens, and their deliveries.',
    resources: ['notifications.webhooks', 'notifications.deliveries'],
  },
  {
    name: 'Billing',
    description: 'Usage in execution units, plans, limits and payment methods.',
    resources: [
      ...['billing.customers', 'billing.usage', 'billing.periods', 'billing.plans', 'billing.budget'],
      ...['billing.paymentMethods', 'billing.stripeEvents'],
    ],
  },
  {
    name: 'Administration',
    description: 'The whole installation, for its administrators: users, vaults, dead letters, checks and log levels.',
    resources: [
      ...['auth.admins', 'auth.adminTokens', 'auth.adminAudit', 'auth.adminUsers', 'auth.adminVaults'],
      ...['auth.deadLetters', 'auth.adminTasks', 'auth.logLevel'],
    ],
  },
];

const BY_RESOURCE = new Map(TAGS.flatMap(({ name, resources }) => resources.map((resource) => [resource, name])));

/**
 * @param operation name, such as `runs.subjobs.stop`
 * @throws Error if no tag has its resource
 */
export function tagOf(operation: string): string {
  const resource = operation.split('.').slice(0, 2).join('.');
  const tag = BY_RESOURCE.get(resource);
  if (tag === undefined) throw new Error(`Add ${resource} to a tag in libs/contracts/src/openapi/tags.ts`);
  return tag;
}
