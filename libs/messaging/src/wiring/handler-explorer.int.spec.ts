import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller, Injectable } from '@nestjs/common';
import { adminTaskStarted } from '@millrace/contracts/auth/admin/admin-tasks';
import { getMe } from '@millrace/contracts/auth/users';
import { events, operations } from '@millrace/contracts/registry';
import { runFinished } from '@millrace/contracts/runs/runs';
import { serviceOf } from '@millrace/testkit/service-of';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { EventHandler } from '../events/event-handler.js';
import { OperationHandler } from '../rpc/operation-handler.js';

let system: System;
beforeAll(async () => {
  system = await startApps([]);
});
afterAll(() => system.close());

@Controller()
class Misplaced {
  @OperationHandler(getMe)
  me(): never {
    throw new Error('is never called');
  }
}

@Injectable()
class Listener {
  @EventHandler(runFinished)
  async handle(): Promise<void> {}
}

it('a service with wiring mistakes does not start, and lists all of them with their fixes', async () => {
  const wrong = serviceOf('notifications', {
    module: class Wrong {},
    controllers: [Misplaced],
    providers: [Listener, { provide: 'again', useClass: Listener }],
  });
  const message = await system.start(wrong).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  const [first, ...problems] = message.split('\n');
  expect(first).toBe('The notifications service is not wired up:');
  const operationsWithoutHandler = operations.filter(
    ({ service, name }) => service === 'notifications' && !name.includes('.health.'),
  );
  const eventsWithoutHandler = events.filter(
    // Each service handles tasks of administrators by itself.
    (event) => event.consumers.includes('notifications') && event !== runFinished && event !== adminTaskStarted,
  );
  expect(problems.sort()).toEqual(
    [
      ...operationsWithoutHandler.map(
        ({ name }) => `- ${name} has no handler: mark a controller's method with @OperationHandler`,
      ),
      ...eventsWithoutHandler.map(
        ({ name }) =>
          `- ${name} has no handler: mark a method with @EventHandler, or remove "notifications" from its consumers`,
      ),
      '- Misplaced.me handles auth.users.me: move it to apps/auth',
      '- runs.run.finished has 2 handlers (Listener.handle, Listener.handle): keep one',
    ].sort(),
  );
});

it('a failed start leaves no database connection open', async () => {
  const wrong = serviceOf('notifications', { module: class Wrong {} });
  await expect(system.start(wrong)).rejects.toThrow(/is not wired up/);
  const connections = await system.database.query(
    `SELECT application_name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'millrace-notifications'`,
  );
  expect(connections).toEqual([]);
});
