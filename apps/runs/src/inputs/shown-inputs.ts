/** What people see of the inputs that a run was started with; a type and no interface, so that it fits a JSON column. */
export type ShownInputs = {
  /** By primitive id or label, as they were given; values of secret variables are masked. */
  given: Record<string, string | boolean>;
  /** Keys of `given` in which something is masked. */
  masked: string[];
  /** Keys of inputs whose content came with the request; absent in rows of earlier versions, and if there are none. */
  contents?: string[];
};
