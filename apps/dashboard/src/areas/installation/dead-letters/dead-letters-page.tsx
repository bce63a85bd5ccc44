import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { FilterSelect } from '../../../ui/filter-select.js';
import { Section } from '../../../ui/page.js';
import { SearchInput } from '../../../ui/search-input.js';
import { SelectBox } from '../../../ui/select-box.js';
import { HEAD_CELL } from '../../../ui/table.js';
import { PageBody } from '../parts/page-body.js';
import { RecordTable } from '../parts/record-table.js';
import { useInstallationSearch } from '../parts/use-installation-search.js';
import { LetterActions } from './letter-actions.js';
import { chooseMatching, chooseSelected, KINDS, readLetterFilter } from './letter-filter.js';
import { LetterPanel } from './letter-panel.js';
import { LETTER_COLUMNS, LetterRow } from './letter-row.js';
import { deadLettersQuery, PAGE_SIZE } from './queries.js';

/** Events and jobs that failed for good, to handle them again or to drop them. */
export function DeadLettersPage() {
  const { search, change, filter, filterText, open } = useInstallationSearch();
  const { q, page } = search;
  const filters = readLetterFilter(search);
  const list = useQuery(deadLettersQuery(filters, q, page));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const letters = list.data?.results ?? [];
  const opened = letters.find(({ id }) => id === search.open);
  const areAllSelected = letters.length > 0 && letters.every(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const clear = () => setSelected(new Set());
  const isFiltered = q !== undefined || Object.keys(filters).length > 0;
  // What was retried or dropped is no longer listed.
  const chosen = chooseSelected(letters, selected);
  const isSelectionGone = selected.size > 0 && !chosen;
  const isFirstPage = (page ?? 1) === 1;
  // The records of other filters are not those of these.
  const isListed = list.data && !list.isPlaceholderData;
  // A selection never becomes all that match.
  const matching = isFirstPage && isListed && selected.size === 0 ? chooseMatching(filters, q, list.data) : undefined;
  const choice = chosen ?? matching;
  const isLaterPage = !isFirstPage && selected.size === 0 && q === undefined && isFiltered;
  const hasMessage = choice !== undefined || isSelectionGone || isLaterPage;
  return (
    <PageBody panel={opened && <LetterPanel key={opened.id} letter={opened} onClose={() => open(undefined)} />}>
      <Section title="Dead letters">
        <p className="mb-3 max-w-3xl text-sm text-muted">
          Events and jobs that failed for good: a job after its last attempt, an event after many deliveries. They are
          deleted after DEAD_LETTER_RETENTION_DAYS, 30 by default.
        </p>
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <SearchInput label="Search names and errors" value={q ?? ''} onChange={filterText} className="w-64" />
          <FilterSelect
            label="Service"
            all="All services"
            value={filters.service}
            options={SERVICES.map((value) => ({ value, label: value }))}
            onChange={(value) => filter({ service: value })}
          />
          <FilterSelect
            label="Kind"
            all="Events and jobs"
            value={filters.kind}
            options={KINDS.map((value) => ({ value, label: `Only ${value}s` }))}
            onChange={(value) => filter({ kind: value })}
          />
          {filters.name !== undefined && (
            <Button icon="x" onClick={() => filter({ name: undefined })}>
              Only {filters.name}
            </Button>
          )}
        </div>
        <div
          role="status"
          className={hasMessage ? 'mb-2 flex min-h-8 flex-wrap items-center gap-3 text-sm' : 'sr-only'}
        >
          {choice && (
            <>
              <span className="nums">{chosen ? `${chosen.words} selected` : `For ${choice.words}:`}</span>
              <LetterActions key={chosen ? 'selected' : 'matching'} choice={choice} onDone={clear} />
            </>
          )}
          {isLaterPage && (
            <span className="text-muted">Go to the first page to retry or drop all that match the filters.</span>
          )}
          {isSelectionGone && <span>The selected dead letters are no longer listed.</span>}
          {selected.size > 0 && (
            <Button look="quiet" onClick={clear}>
              Clear the selection
            </Button>
          )}
        </div>
        <RecordTable
          label="Dead letters"
          columns={LETTER_COLUMNS}
          selectAll={
            <th scope="col" className={`${HEAD_CELL} w-8 pr-0!`}>
              <SelectBox
                label="Select all"
                isChosen={areAllSelected}
                onToggle={() => setSelected(new Set(areAllSelected ? [] : letters.map(({ id }) => id)))}
              />
            </th>
          }
          list={list}
          pages={{ page, size: PAGE_SIZE, noun: 'dead letter', onPage: (next) => change({ page: next }) }}
          empty={isFiltered ? <NothingFound /> : <NothingFailed />}
        >
          {(letter) => (
            <LetterRow
              key={letter.id}
              letter={letter}
              isOpen={letter.id === search.open}
              isChosen={selected.has(letter.id)}
              onToggle={() => toggle(letter.id)}
            />
          )}
        </RecordTable>
      </Section>
    </PageBody>
  );
}

const NothingFailed = () => (
  <EmptyState icon="circleCheck" title="Nothing has failed for good">
    What fails is tried again first. Only what keeps failing is listed here. Steps of runs never are: the engine retries
    them, and what fails is in the run.
  </EmptyState>
);

const NothingFound = () => (
  <EmptyState icon="search" title="No dead letter found">
    Change the search or the filters.
  </EmptyState>
);
