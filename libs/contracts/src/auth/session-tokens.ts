import { z } from 'zod';
import type { AnyOperation } from '../kit/operation.js';
import { tokens } from './credentials.js';

const sessionTokens = z.object(tokens);
export type SessionTokens = z.output<typeof sessionTokens>;

/** Header of a request that makes the gateway set the tokens of the response as cookies. Its only value is `cookie`. */
export const SESSION_HEADER = 'X-Millrace-Session';

/** Whether the response has the tokens of a session: those of a sign-in, a renewal or a new password. */
export const returnsTokens = ({ response }: Pick<AnyOperation, 'response'>): boolean =>
  response instanceof z.ZodObject && Object.keys(tokens).every((name) => name in response.shape);
