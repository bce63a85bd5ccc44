import type { ProcessEnv } from '@millrace/service/startup/env';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { notificationsEnv } from './env.js';
import { NotificationsModule } from './notifications.module.js';

export const start = (source: ProcessEnv): Promise<RunningService> =>
  startService(
    { name: 'notifications', env: notificationsEnv, module: (env) => NotificationsModule.with(env) },
    source,
  );
