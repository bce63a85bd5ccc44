/** A request to an operation and its success response, as sent over HTTP. */
export interface OperationExample {
  /** Parameters of the path by name. */
  params?: Record<string, string>;
  /** Parameters of the query by name. */
  query?: Record<string, string>;
  request?: Content;
  /** Absent if the response has no content. */
  response?: Content;
}

export interface Content {
  /** Media type without parameters. */
  type: string;
  /** JSON for `application/json`, fields by name for `multipart/form-data`, otherwise text. */
  value: unknown;
}

/** Examples by the name of the operation. */
export type OperationExamples = Record<string, OperationExample>;
