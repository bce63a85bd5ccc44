import { beforeAll, describe, expect, it } from '@jest/globals';
import { READ_BY_LIBRARIES, readEnvironment, SCHEMAS, SERVICES } from './testing/environment-schemas.js';
import { componentOf, listPods, type Pod } from './testing/kubernetes-object.js';
import { renderChart, VALUES } from './testing/run-helm.js';

const rendered = new Map<string, Pod[]>();
beforeAll(async () => {
  for (const name of VALUES) rendered.set(name, listPods(await renderChart(name)));
});
const podsOf = (name: string) => (rendered.get(name) ?? []).filter((pod) => componentOf(pod) !== 'test');
const findPod = (name: string, component: string) => podsOf(name).find((pod) => componentOf(pod) === component);
const variablesOf = (name: string, component: string) => findPod(name, component)?.container.env ?? [];

describe.each(VALUES)('the environment of each container with the values %s', (name) => {
  it('has only variables that its program reads, once each', () => {
    const unknown = podsOf(name).flatMap((pod) => {
      const names = pod.container.env.map((variable) => variable.name);
      const known = [...Object.keys(SCHEMAS[componentOf(pod)]?.shape ?? {}), ...READ_BY_LIBRARIES];
      return names
        .filter((variable, index) => !known.includes(variable) || names.indexOf(variable) !== index)
        .map((variable) => `${pod.owner}: ${variable}`);
    });
    expect(unknown).toEqual([]);
  });

  it.each([true, false])('is complete and valid (with optional secrets: %s)', (withOptional) => {
    const problems = podsOf(name).flatMap((pod) => {
      const { error } = SCHEMAS[componentOf(pod)]?.safeParse(readEnvironment(pod.container, withOptional)) ?? {};
      return error ? [`${pod.owner}: ${error.message}`] : [];
    });
    expect(problems).toEqual([]);
  });

  it('names folders and files of volumes that the container mounts', () => {
    const unmounted = podsOf(name).flatMap(({ owner, container, spec }) => {
      const isMounted = (path: string) =>
        container.volumeMounts.some((mount) => path === mount.mountPath || path.startsWith(`${mount.mountPath}/`));
      const hasVolumes = container.volumeMounts.every((mount) => spec.volumes?.some((one) => one.name === mount.name));
      const paths = container.env.filter(({ value }) => value?.startsWith('/')).map(({ value }) => value ?? '');
      return [...paths.filter((path) => !isMounted(path)), ...(hasVolumes ? [] : ['a volume'])].map(
        (path) => `${owner}: ${path}`,
      );
    });
    expect(unmounted).toEqual([]);
  });
});

describe('the secrets of containers', () => {
  const secretsOf = (component: string) =>
    variablesOf('full', component)
      .filter(({ valueFrom }) => valueFrom?.secretKeyRef && !valueFrom.secretKeyRef.optional)
      .map((variable) => variable.name);

  it('are no more than each service needs', () => {
    expect(
      Object.fromEntries([...SERVICES, 'migrate', 'backup'].map((service) => [service, secretsOf(service)])),
    ).toEqual({
      gateway: ['GOOGLE_CLIENT_SECRET', 'MILLRACE_SECRET', 'NATS_PASSWORD', 'REDIS_URL'],
      auth: ['DATABASE_URL', 'MILLRACE_SECRET', 'NATS_PASSWORD', 'REDIS_URL'],
      workflows: ['DATABASE_URL', 'MILLRACE_SECRET', 'NATS_PASSWORD', 'REDIS_URL'],
      runs: ['DATABASE_URL', 'MILLRACE_SECRET', 'NATS_PASSWORD', 'REDIS_URL'],
      datasets: ['DATABASE_URL', 'MILLRACE_SECRET', 'NATS_PASSWORD', 'REDIS_URL'],
      billing: [
        'DATABASE_URL',
        'MILLRACE_SECRET',
        'NATS_PASSWORD',
        'REDIS_URL',
        'STRIPE_SECRET_KEY',
        'STRIPE_WEBHOOK_SECRET',
      ],
      notifications: ['DATABASE_URL', 'MILLRACE_SECRET', 'NATS_PASSWORD', 'REDIS_URL', 'SMTP_URL'],
      worker: ['NATS_PASSWORD', 'REDIS_URL'],
      migrate: [
        ...['DATABASE_URL', 'DATABASE_URL_AUTH', 'DATABASE_URL_BILLING', 'DATABASE_URL_DATASETS'],
        ...['DATABASE_URL_NOTIFICATIONS', 'DATABASE_URL_RUNS', 'DATABASE_URL_WORKFLOWS'],
      ],
      backup: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'MILLRACE_SECRET'],
    });
  });

  it('come from a Secret for each service, or from the one that a reference names', () => {
    const referenceOf = (component: string, variable: string) =>
      variablesOf('full', component).find((one) => one.name === variable)?.valueFrom?.secretKeyRef;
    expect(referenceOf('runs', 'DATABASE_URL')).toEqual({ name: 'millrace-runs', key: 'DATABASE_URL' });
    expect(referenceOf('auth', 'DATABASE_URL')).toEqual({ name: 'postgres-auth', key: 'uri' });
    expect(referenceOf('migrate', 'DATABASE_URL_AUTH')).toEqual({ name: 'postgres-auth', key: 'uri' });
    expect(referenceOf('backup', 'DATABASE_URL')).toEqual({ name: 'millrace-migrate', key: 'DATABASE_URL' });
    expect(referenceOf('backup', 'MILLRACE_SECRET')).toEqual({ name: 'millrace-runs', key: 'MILLRACE_SECRET' });
    expect(referenceOf('backup', 'AWS_ACCESS_KEY_ID')).toEqual({ name: 'backup-s3', key: 'id' });
    expect(referenceOf('auth', 'REDIS_URL')).toEqual({ name: 'millrace-auth', key: 'REDIS_URL' });
  });
});

describe('a setting', () => {
  const valueOf = (component: string, variable: string) =>
    variablesOf('full', component).find((one) => one.name === variable)?.value;

  it('of all processes reaches every container, and large numbers keep their digits', () => {
    expect(SERVICES.map((service) => valueOf(service, 'LOG_LEVEL'))).toEqual(SERVICES.map(() => 'debug'));
    expect(valueOf('datasets', 'LOAD_MAX_ROWS')).toBe('50000000');
    expect(valueOf('runs', 'OTEL_TRACES_SAMPLER_ARG')).toBe('0.1');
  });

  it('of a service replaces the value of the chart', () => {
    expect(valueOf('gateway', 'TRUST_PROXY')).toBe('10.0.0.0/8');
    const ofChart = variablesOf('gateway-api', 'gateway').find((one) => one.name === 'TRUST_PROXY');
    expect(ofChart?.value).toBe('1');
  });

  it('of a fleet is in its workers alone', () => {
    const fleets = podsOf('fleets').filter((pod) => componentOf(pod) === 'worker');
    const environments = fleets.map(({ container }) => readEnvironment(container, false));
    expect(environments.map((one) => [one['WORKER_FLEET'], one['WORKER_LABELS'], one['WORKER_SIZES']])).toEqual([
      ['general', undefined, 'small,medium,large'],
      ['gpu', 'gpu=true,zone=eu', 'large'],
      ['scanner', 'network=internal', 'small,medium,large'],
    ]);
    expect(environments.map((one) => one['EGRESS_ALLOW'])).toEqual(['10.30.0.0/16', undefined, undefined]);
  });
});
