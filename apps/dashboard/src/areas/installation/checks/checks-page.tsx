import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminTask } from '@millrace/client';
import { readChoice } from '../../../routing/read-search.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Select } from '../../../ui/field.js';
import { Section } from '../../../ui/page.js';
import { PageBody } from '../parts/page-body.js';
import { RecordTable } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { PAGE_SIZE, tasksQuery } from './queries.js';
import { StartTaskDialog } from './start-task-dialog.js';
import { TaskPanel } from './task-panel.js';
import { TASK_COLUMNS, TaskRow } from './task-row.js';

/** Checks of the stored data and rebuilt indexes, with their findings. */
export function ChecksPage() {
  const { search, change, filter, open } = useInstallationSearch();
  const kind = readChoice(search.kind, ['check', 'reindex'] as const);
  const tasks = useQuery(tasksQuery(kind, search.page));
  const [starting, setStarting] = useState<AdminTask['kind']>();
  return (
    <PageBody
      panel={
        search.open !== undefined && <TaskPanel key={search.open} id={search.open} onClose={() => open(undefined)} />
      }
    >
      <Section
        title="Checks and indexes"
        actions={
          <>
            <Button icon="refresh" onClick={() => setStarting('reindex')}>
              Rebuild indexes
            </Button>
            <Button look="primary" icon="listChecks" onClick={() => setStarting('check')}>
              Start a check
            </Button>
          </>
        }
      >
        <Select
          aria-label="Kind"
          className="mb-3 w-auto!"
          value={kind ?? ''}
          options={[
            { value: '', label: 'Checks and reindexes' },
            { value: 'check', label: 'Only checks' },
            { value: 'reindex', label: 'Only reindexes' },
          ]}
          onChange={(value) => filter({ kind: value })}
        />
        <RecordTable
          label="Checks and reindexes"
          columns={TASK_COLUMNS}
          list={tasks}
          pages={{
            ...{ page: search.page, size: PAGE_SIZE, noun: 'task' },
            onPage: (next) => change({ page: next }),
          }}
          empty={<NoTasks kind={kind} />}
        >
          {(task) => <TaskRow key={task.id} task={task} isOpen={task.id === search.open} />}
        </RecordTable>
      </Section>
      {starting && (
        <StartTaskDialog
          kind={starting}
          onStarted={(id) => {
            setStarting(undefined);
            open(id);
          }}
          onClose={() => setStarting(undefined)}
        />
      )}
    </PageBody>
  );
}

const NoTasks = ({ kind }: { kind: AdminTask['kind'] | undefined }) =>
  kind === 'reindex' ? (
    <EmptyState icon="refresh" title="No reindex in the last 90 days">
      Start one when indexes have grown much larger than their tables, and after the collation of the operating system
      of Postgres has changed.
    </EmptyState>
  ) : (
    <EmptyState icon="listChecks" title="No check in the last 90 days">
      Start one after a restore and after an upgrade. It changes nothing, and finds defects and damaged data.
    </EmptyState>
  );
