/** What a command left cannot be kept, for a reason to be told. */
export class WorkspaceProblem extends Error {
  override name = 'WorkspaceProblem';
}
