import type { StartService } from '@millrace/service/startup/run-until-signal';
import { startService } from '@millrace/service/startup/start-service';
import { notificationsChecks } from './admin/checks.js';
import { notificationsEnv } from './env.js';
import { NotificationsModule } from './notifications.module.js';

export const start: StartService = (source, health) =>
  startService(
    {
      name: 'notifications',
      env: notificationsEnv,
      invariants: notificationsChecks,
      module: (env) => NotificationsModule.with(env),
    },
    source,
    health,
  );
