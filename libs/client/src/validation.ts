import { restOperations } from '@millrace/contracts/registry';

const OPERATIONS = new Map(restOperations.map((operation) => [operation.name, operation]));

/**
 * Checks a response against the contract with zod. Pass it to a client as `validate`. It accepts unknown values of the right type
 * and further fields, because a newer server may have more of both than the contract of this client.
 * @param operation name of the operation, such as `runs.runs.get`
 * @returns the first problem as part of a sentence, or null
 */
export function validateResponse(operation: string, body: unknown): string | null {
  const error = OPERATIONS.get(operation)?.response.safeParse(body).error;
  const issue = error?.issues.find(({ code }) => code === 'invalid_type');
  if (!issue) return null;
  const field = issue.path.map(String).join('.');
  return field === ''
    ? 'the response is JSON of a different type'
    : `the field ${JSON.stringify(field)} is missing or has a different type`;
}
