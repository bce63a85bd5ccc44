/** The condition of a node (`when`) with the steps and inputs that it refers to. */
export interface Condition {
  /** As the user wrote it. */
  text: string;
  /** Steps whose results it uses. They are predecessors of the node. */
  steps: number[];
}
