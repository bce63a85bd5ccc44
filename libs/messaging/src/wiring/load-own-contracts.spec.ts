import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { sendMail } from '@millrace/contracts/notifications/mail';
import { events, jobs } from '@millrace/contracts/registry';
import { loadOwnContracts } from './load-own-contracts.js';

const nameOf = ({ name }: { name: string }) => name;

describe.each(SERVICES)('the own contracts of %s', (service) => {
  it('are all events that it publishes, and all jobs that it enqueues', async () => {
    const own = await loadOwnContracts(service);
    const ownEvents = events.filter(({ source }) => source === service);
    const ownJobs = [...jobs.filter(({ source }) => source === service), ...(service === 'auth' ? [sendMail] : [])];
    expect(
      own.events
        .filter(({ source }) => source === service)
        .map(nameOf)
        .sort(),
    ).toEqual(ownEvents.map(nameOf).sort());
    expect(
      own.jobs
        .filter((job) => ownJobs.includes(job))
        .map(nameOf)
        .sort(),
    ).toEqual(ownJobs.map(nameOf).sort());
  });
});
