import { z } from 'zod';
import { baseEnv } from '@millrace/service/env';

export const gatewayEnv = baseEnv.extend({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  /** Address that users see, where it is another than this host and port. */
  PUBLIC_URL: z.url().optional(),
  /** Folder of the object store that all services share. */
  STORAGE_DIR: z.string().min(1),
});
export type GatewayEnv = z.output<typeof gatewayEnv>;

export const GATEWAY_ENV = Symbol('gateway environment');
