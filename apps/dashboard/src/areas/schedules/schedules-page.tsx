import { lazy, Suspense, useCallback, useState } from 'react';
import { useSpacesWithRole } from '../../api/spaces.js';
import { Button } from '../../ui/button.js';
import { FilterSelect } from '../../ui/filter-select.js';
import { Page } from '../../ui/page.js';
import { SearchInput } from '../../ui/search-input.js';
import { NewScheduleDialog } from './list/new-schedule-dialog.js';
import { ScheduleList } from './list/schedule-list.js';
import { schedulesRoute } from './routes.js';
import type { SchedulesSearch } from './search.js';
import { TicksPanel } from './ticks/ticks-panel.js';

/** It has the cron library. */
const ScheduleDialog = lazy(() =>
  import('./edit/schedule-dialog.js').then(({ ScheduleDialog }) => ({ default: ScheduleDialog })),
);

type Change = { [Field in keyof SchedulesSearch]: SchedulesSearch[Field] | undefined };

/** All schedules on one page: when they start runs, and what keeps them from it. */
export function SchedulesPage() {
  const search = schedulesRoute.useSearch();
  const navigate = schedulesRoute.useNavigate();
  const [isChoosing, setChoosing] = useState(false);
  const { q = '', state, workflow, edit } = search;
  const canSchedule = useSpacesWithRole('write').length > 0;
  const onNew = canSchedule ? () => setChoosing(true) : undefined;
  const change = useCallback(
    (part: Change, replace = false) =>
      void navigate({ search: (current) => ({ ...current, ...part }) as SchedulesSearch, replace }),
    [navigate],
  );
  return (
    <Page
      isFull
      title="Schedules"
      actions={
        <>
          <SearchInput
            label="Search workflows"
            value={q}
            onChange={useCallback((text: string) => change({ q: text }, true), [change])}
            className="w-56"
          />
          <FilterSelect
            label="State"
            all="All schedules"
            value={state}
            options={[
              { value: 'active', label: 'Active' },
              { value: 'paused', label: 'Paused' },
              { value: 'failing', label: 'Could not start' },
            ]}
            onChange={(value) => change({ state: value }, true)}
          />
          {onNew && (
            <Button look="primary" icon="plus" onClick={onNew}>
              New schedule
            </Button>
          )}
        </>
      }
    >
      <div className="flex min-h-0 flex-1">
        <div className="min-w-0 flex-1 overflow-y-auto px-6 py-4 max-sm:px-4">
          <ScheduleList search={search} onEdit={(id) => change({ edit: id })} onNew={onNew} />
        </div>
        {workflow !== undefined && (
          <TicksPanel key={workflow} id={workflow} onClose={() => change({ workflow: undefined })} />
        )}
      </div>
      {isChoosing && (
        <NewScheduleDialog
          onChoose={(id) => {
            setChoosing(false);
            change({ edit: id });
          }}
          onClose={() => setChoosing(false)}
        />
      )}
      <Suspense>
        {edit !== undefined && (
          <ScheduleDialog key={edit} id={edit} onClose={() => change({ edit: undefined }, true)} />
        )}
      </Suspense>
    </Page>
  );
}
