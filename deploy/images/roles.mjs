/**
 * The roles of images: a target of `deploy/Dockerfile` each.
 * @typedef {object} Role
 * @property {string[]} workspaces what the role runs; their production dependencies are in the image too
 * @property {string[]} files other files and folders of the repository that it needs
 */

/** Every image has these: the entry point, the health check and the writer of the list of components. */
const COMMON_FILES = ['package.json', 'deploy/start-app.mjs', 'deploy/check-health.mjs', 'deploy/images'];

/** @type {Record<string, Role>} */
export const ROLES = {
  // The MCP server, which the gateway hosts, serves the pages of the documentation.
  gateway: { workspaces: ['apps/gateway'], files: [...COMMON_FILES, 'docs'] },
  service: {
    workspaces: ['apps/auth', 'apps/workflows', 'apps/runs', 'apps/datasets', 'apps/billing', 'apps/notifications'],
    // `init`, `rotate`, `admin` and the commands for backups run in this image; a restore applies the migrations of its backup.
    files: [
      ...COMMON_FILES,
      ...['deploy/init-secrets.mjs', 'scripts/lib', 'scripts/secrets-rotate.mjs', 'scripts/admin.mjs', 'prisma'],
      ...['scripts/backup.mjs', 'scripts/backup-verify.mjs', 'scripts/restore.mjs'],
    ],
  },
  worker: { workspaces: ['apps/worker'], files: COMMON_FILES },
  migrate: { workspaces: ['libs/persistence'], files: [...COMMON_FILES, 'prisma'] },
};
