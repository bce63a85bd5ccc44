/** An operation of the API as a command: `millrace <resource> <name> [params…] [--field value]`. */
export interface OperationCommand {
  resource: string;
  name: string;
  /** As a method of the client, such as `runs.get`. */
  clientMethod: string;
  /** Name in the contract, such as `runs.runs.get`. */
  operation: string;
  method: string;
  path: string;
  summary: string;
  description?: string;
  isPublic?: boolean;
  pages?: 'links' | 'cursor';
  /** How the body or the response travels, if not as JSON. */
  transfer?: string;
  /** Whether the response is no JSON, or empty. */
  hasNoJson?: boolean;
  params: { key: string; name: string }[];
  query: OperationField[];
  body: OperationField[];
}

export interface OperationField {
  name: string;
  /** Of JSON Schema; `any` if there are several. */
  type: string;
  description?: string;
  values?: string[];
  isRequired?: boolean;
  /** Whether it contains a secret, which is never an argument. */
  isSecret?: boolean;
}
