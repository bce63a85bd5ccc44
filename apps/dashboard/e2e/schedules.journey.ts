import { expectAccessible } from './support/expect-accessible.js';
import { expect, test } from './support/test.js';

const WORKFLOW_FILE = `name: Nightly hosts
workflow:
  primitiveNodes:
    string-input-1: { type: STRING, label: domain, value: example.test }
  nodes:
    list-1:
      type: SCRIPT
      inputs: { domain: { type: STRING, order: 1 } }
      script: { source: 'echo "$1" > out/output.txt' }
  connections:
    - { from: string-input-1/output, to: list-1/domain }
`;

test(
  'a schedule is set, run now and paused, and the notification leads to the run',
  { tag: '@once' },
  async ({ signedIn, account }) => {
    const page = signedIn;
    const { client, space } = account;
    const workflow = await client.workflows.import({ yaml: WORKFLOW_FILE }, { query: { space } });

    await page.goto('/schedules');
    await page.getByRole('button', { name: 'Schedule a workflow' }).click();
    await page.getByRole('button', { name: /Nightly hosts/ }).click();
    await page.getByLabel('Cron expression').fill('30 9 * * 1-5');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await expect(page.getByText('The next five starts')).toBeVisible();
    await page.getByLabel('domain').fill('night.test');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /Nightly hosts/ });
    await expect(row).toContainText('Monday to Friday at 09:30');
    await expectAccessible(page);

    await row.getByRole('button', { name: 'Pause the schedule of Nightly hosts' }).click();
    await expect(row).toContainText('paused');
    const { schedule_info: schedule } = await client.workflows.get(workflow.id);
    expect(schedule).toMatchObject({ timezone: 'Europe/Berlin', inputs: { domain: 'night.test' }, enabled: false });

    await row.getByRole('button', { name: 'Run Nightly hosts now' }).click();
    await expect(page.getByText('The run has started')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: /Notifications/ }).click();
    const notification = page.getByRole('link', { name: 'Nightly hosts completed' });
    await expect(notification).toBeVisible();
    await expectAccessible(page);
    await notification.click();
    await expect(page).toHaveURL(/\/runs\/\d+/);
  },
);
