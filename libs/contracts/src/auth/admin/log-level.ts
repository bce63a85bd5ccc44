import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { timestamp } from '../../kit/fields.js';
import { operation } from '../../kit/operation.js';
import { SERVICES } from '../../kit/service-name.js';
import { signal } from '../../kit/signal.js';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;

export const setLogLevel = operation('auth.logLevel.set', {
  method: 'PUT',
  path: '/admin/log-level',
  summary: 'Change the log level of a service while it runs',
  description:
    'Every running copy of the service logs at this level for some minutes, then again at its configured `LOG_LEVEL`. A restart ' +
    'also ends it, and a copy that starts later does not have it. A copy without a connection to NATS does not get it: send the ' +
    'request again.',
  access: instanceAdmin,
  body: z.strictObject({
    service: z.enum(SERVICES).describe('Service whose copies change'),
    level: z.enum(LOG_LEVELS).describe('Level to log at'),
    minutes: z
      .number()
      .int()
      .min(1)
      .max(1_440)
      .default(30)
      .describe('Minutes until the configured level applies again'),
  }),
  response: z.object({ service: z.enum(SERVICES), level: z.enum(LOG_LEVELS), until: timestamp }),
});

/** All copies of a service change their log level. */
export const logLevelChanged = signal('auth.logLevel.changed', {
  from: ['auth'],
  to: SERVICES,
  payload: z.object({ service: z.enum(SERVICES), level: z.enum(LOG_LEVELS), until: timestamp }),
});
