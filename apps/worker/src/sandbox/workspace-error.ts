/** What a command left cannot be kept, for a reason to be told. */
export class WorkspaceError extends Error {
  override name = 'WorkspaceError';
}
