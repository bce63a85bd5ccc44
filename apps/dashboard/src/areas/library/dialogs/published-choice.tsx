import { useInfiniteQuery } from '@tanstack/react-query';
import { SelectField } from '../../../ui/field.js';
import { publishedListQuery } from '../queries.js';

interface PublishedChoiceProps {
  /** Id of the chosen snapshot. */
  value: string;
  onChange: (id: string, name: string) => void;
}

/** Chooses one of the published workflows. */
export function PublishedChoice({ value, onChange }: PublishedChoiceProps) {
  const { data } = useInfiniteQuery(publishedListQuery(undefined));
  const snapshots = data?.pages.flatMap(({ results }) => results) ?? [];
  if (data && snapshots.length === 0)
    return (
      <p className="text-sm text-muted">
        Nothing is published yet. Publish a version of a workflow in its editor first.
      </p>
    );
  return (
    <SelectField
      label="Published workflow"
      hint="Its named inputs and outputs become those of the module."
      value={value}
      options={[
        { value: '', label: 'Choose…' },
        ...snapshots.map(({ id, name, version_number: version, space_name: space }) => ({
          value: id,
          label: `${name} (version ${version}, ${space})`,
        })),
      ]}
      onChange={(id) => onChange(id, snapshots.find((snapshot) => snapshot.id === id)?.name ?? '')}
    />
  );
}
