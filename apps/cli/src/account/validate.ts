import type { Validate } from '@millrace/client';

/** Detects a server other than Millrace. The contract is loaded with the first response, because loading it takes some time. */
export const validate: Validate = async (operation, body) => {
  const { validateResponse } = await import('@millrace/client/validation');
  return validateResponse(operation, body);
};
