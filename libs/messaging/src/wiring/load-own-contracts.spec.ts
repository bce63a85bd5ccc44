import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { sendMail } from '@millrace/contracts/notifications/mail';
import { events, jobs } from '@millrace/contracts/registry';
import { loadOwnContracts } from './load-own-contracts.js';

const nameOf = ({ name }: { name: string }) => name;

describe.each(SERVICES)('the own contracts of %s', (service) => {
  it('are all events that it publishes, and all jobs that it enqueues', async () => {
    const own = await loadOwnContracts(service);
    const isOwn = ({ source }: { source: string }) => source === service;
    const ownJobs = jobs.filter((job) => isOwn(job) || (service === 'auth' && job === sendMail));
    expect(own.events.map(nameOf).sort()).toEqual(events.filter(isOwn).map(nameOf).sort());
    expect(own.jobs.map(nameOf).sort()).toEqual(ownJobs.map(nameOf).sort());
  });
});
