/** The inputs of a run as users see them. A type, not an interface, so that it can be assigned to a JSON column. */
export type ShownInputs = {
  /** Values by primitive id or label, as the request gave them; values of secret variables are masked. */
  given: Record<string, string | boolean>;
  /** Keys of `given` with masked text. */
  masked: string[];
  /** Keys of inputs whose content came with the request; absent if there are none. */
  contents?: string[];
};
