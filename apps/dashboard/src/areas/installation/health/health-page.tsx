import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { ErrorNote } from '../../../ui/error-note.js';
import { Icon } from '../../../ui/icon.js';
import { Section } from '../../../ui/page.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { PageBody } from '../parts/page-body.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { healthQuery } from './health-query.js';
import { LogLevelDialog } from './log-level-dialog.js';
import { LogLevelTable } from './log-level-table.js';
import { ServicePanel } from './service-panel.js';
import { ServiceTable } from './service-table.js';
import { summarizeHealth, type ServiceSummary } from './summarize-health.js';

/** Whether all services work, how much of their work waits, and at which levels they log. */
export function HealthPage() {
  const { search, open } = useInstallationSearch();
  const health = useQuery(healthQuery);
  const [changing, setChanging] = useState<ServiceName | ''>();
  const services = health.data && summarizeHealth(health.data);
  const opened = services?.find(({ service }) => service === search.open);
  return (
    <PageBody
      panel={
        opened && (
          <ServicePanel
            summary={opened}
            health={health.data?.services[opened.service]}
            onChangeLevel={() => setChanging(opened.service)}
            onClose={() => open(undefined)}
          />
        )
      }
    >
      <Section title="Services">
        {health.error && <ErrorNote error={health.error} onRetry={() => void health.refetch()} className="mt-0 mb-3" />}
        {services ? (
          <>
            <Verdict services={services} version={health.data?.version ?? ''} />
            <ServiceTable services={services} opened={search.open} />
          </>
        ) : (
          health.isPending && <Skeleton rows={8} className="px-0!" />
        )}
      </Section>
      <Section
        title="Requested log levels"
        className="mt-4"
        actions={
          <Button icon="sliders" onClick={() => setChanging('')}>
            Change a log level
          </Button>
        }
      >
        <p className="mb-3 text-sm text-muted">
          A service can log at another level for some minutes. A service that restarts uses its configured level again.
        </p>
        <LogLevelTable />
      </Section>
      {changing !== undefined && (
        <LogLevelDialog service={changing === '' ? 'runs' : changing} onClose={() => setChanging(undefined)} />
      )}
    </PageBody>
  );
}

function Verdict({ services, version }: { services: readonly ServiceSummary[]; version: string }) {
  const broken = services.filter(({ status }) => status !== 'ok').length;
  const warned = services.filter(({ status, warnings }) => status === 'ok' && warnings.length > 0).length;
  return (
    <p role="status" className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {broken === 0 ? (
        <span className="flex items-center gap-2 text-succeeded">
          <Icon name="circleCheck" />
          All services work.
        </span>
      ) : (
        <span className="flex items-center gap-2 text-failed">
          <Icon name="circleX" />
          {broken === 1 ? '1 service does' : `${broken} services do`} not work.
        </span>
      )}
      {warned > 0 && (
        <span className="flex items-center gap-2 text-stopped">
          <Icon name="warning" />
          {countOf(warned, 'service needs', 'services need')} attention.
        </span>
      )}
      <span className="text-muted">Millrace {version}</span>
    </p>
  );
}
