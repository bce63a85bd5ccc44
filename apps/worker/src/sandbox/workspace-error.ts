/** The workspace cannot be stored after a command. The message is for the user. */
export class WorkspaceError extends Error {
  override name = 'WorkspaceError';
}
