/** Tasks of one dispatch that nobody waits for any more: a worker that has them ends or returns them. */
export interface Cancel {
  dispatch: string;
  tasks: number[];
}
