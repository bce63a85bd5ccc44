import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { locateTable, matchChanges, tableChanged } from '@millrace/contracts/datasets/table-changes';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { setTableFollow, setViewFollow } from '@millrace/contracts/notifications/table-follows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { fakeContacts } from '../testing/fake-contacts.js';
import { startMailServer, type MailServer } from '../testing/mail-server.js';

const follower = ownerCaller();
const [dataset, space, solution, view] = [newId(), newId(), newId(), newId()];
const ROWS = [
  { kind: 'new' as const, row: { host: 'a.example', port: 9000, _row: 1 } },
  { kind: 'changed' as const, row: { host: 'b.example', port: 22, _row: 2 } },
];

let system: System;
let datasets: EventSource;
let mails: MailServer;
let address: string;
beforeAll(async () => {
  system = await startApps([]);
  mails = await startMailServer();
  await system.start(start, { SMTP_URL: mails.url, PUBLIC_URL: 'https://m.example', MAIL_FROM: 'mill@m.example' });
  datasets = await system.sourceOf('datasets');
  address = fakeContacts(await system.fake('auth')).add(follower);
  const service = await system.fake('datasets');
  const located = (id: string | null) => ({
    ...{ dataset, name: 'hosts', space, public: false },
    view: id === null ? null : { id, name: 'Big', solution },
  });
  service.on(locateTable, ({ body }) => ({ table: located(locateTable.body.parse(body).view ?? null) }));
  // Of the two rows of each load, only the first matches the view.
  service.on(matchChanges, ({ body }) => {
    const { view: id } = matchChanges.body.parse(body);
    const rows = id === null ? ROWS : ROWS.slice(0, 1);
    return { table: located(id), new: 1, changed: rows.length - 1, rows, columns: ['host', 'port'] };
  });
});
afterAll(async () => {
  await system.close();
  await mails.close();
});

/** Uploads a new and a changed row. @returns the mail that follows */
async function upload(load: string) {
  const before = mails.accepted.length;
  await datasets.emit(tableChanged, {
    ...{ vault: follower.vault, space, solution, dataset, name: 'hosts', load, generation: '1790000000000' },
    ...{ partial: false, new: 1, changed: 1, gone: 0, at: '2026-11-24T03:00:00.000Z' },
  });
  return eventually(() => {
    expect(mails.accepted).toHaveLength(before + 1);
    const last = mails.accepted.at(-1);
    expect(last?.recipients).toEqual([address]);
    return Promise.resolve(last?.mail);
  });
}

describe('the mail about a load with a row that matches a view and one that does not', () => {
  it('has, for a follower of the view, only the matching row, its page, and how to stop following', async () => {
    const params = { solutionId: solution, viewId: view };
    await system.callAs(follower, setViewFollow, { params, body: {} });
    const mail = await upload('7');
    expect(mail?.subject).toBe('hosts: 1 new in "Big"');
    expect(mail?.text?.trimEnd()).toBe(
      [
        'An upload has changed rows of "hosts" that match "Big": 1 row is new. In the whole table, 1 row is new and 1 row has changed.',
        '',
        'The matching row:',
        '',
        '     host        port',
        '---  ----------  ----',
        'new  a. example  9000',
        '',
        'Open this page for details:',
        `https://m.example/solutions/${solution}/views/${view}`,
        '',
        `You receive this mail because you follow the view "Big" in Millrace. To stop, choose "Stop following" in the menu "Following" of the page, or send DELETE /api/solutions/${solution}/views/${view}/follow to the API. To be notified only in the app, choose "In the app only" there, or send PUT /api/solutions/${solution}/views/${view}/follow with {"email": false}.`,
      ].join('\n'),
    );
    expect(mail?.html).toContain('>a. example</td>');
    expect(mail?.html).not.toContain('b. example');
    const [notification] = (await system.callAs(follower, listNotifications)).results;
    expect(notification).toMatchObject({ title: mail?.subject, metadata: { matching_new: 1, rows: [ROWS[0]] } });
    expect(mail?.text).toContain(notification?.message);
    await system.callAs(follower, setViewFollow, { params, body: { email: false } });
  });

  it('has, for a follower of the table, both rows', async () => {
    await system.callAs(follower, setTableFollow, { params: { id: dataset }, body: {} });
    const mail = await upload('8');
    expect(mail?.subject).toBe('hosts: 1 new, 1 changed');
    expect(mail?.text).toContain('An upload has changed "hosts": 1 row is new and 1 row has changed.\n');
    expect(mail?.text).toContain('\nThe new and changed rows:\n');
    expect(mail?.text).toContain('\nchanged  b. example  22\n');
    expect(mail?.text).toContain(`\nhttps://m.example/tables/${dataset}\n`);
    expect(mail?.text).toContain(`because you follow the table "hosts" in Millrace.`);
  });
});
