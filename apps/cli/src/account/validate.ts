import type { Validate } from '@millrace/client';

/** Detects a server other than Millrace, or of another version. The contract is loaded with the first response, because loading it takes some time. */
export const validate: Validate = async (operation, body) => {
  const { validateResponse } = await import('@millrace/client/validation');
  const problem = validateResponse(operation, body);
  return problem === null
    ? null
    : `${problem} (to compare its version with that of this command line: millrace doctor)`;
};
