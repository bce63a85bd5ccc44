import type { Envelope } from '@millrace/contracts/kit/envelope';

/** Where a change came from, in events that the audit log records. */
export interface ClientFields {
  address?: string;
  agent?: string;
}

/** The network address and the user agent of the client that sent a request. */
export const clientFields = ({ client }: Pick<Envelope, 'client'>): ClientFields => ({
  ...(client && { address: client.address }),
  ...(client?.agent !== undefined && { agent: client.agent }),
});
