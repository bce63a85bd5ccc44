import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../../text/format-count.js';
import { categoriesQuery } from '../queries.js';
import { libraryRoute } from '../routes.js';

/** The categories of the library with their numbers of modules. On narrow screens it is a row that scrolls. */
export function CategoryList({ selected }: { selected: string | undefined }) {
  const { data: categories = [] } = useQuery(categoriesQuery);
  const total = categories.reduce((sum, { count }) => sum + count, 0);
  return (
    <nav aria-label="Categories" className="w-52 shrink-0 max-md:w-full max-md:overflow-x-auto">
      <ul className="flex flex-col gap-px max-md:flex-row">
        <CategoryLink name="All" count={total} isSelected={selected === undefined} />
        {categories.map(({ name, count }) => (
          <CategoryLink key={name} name={name} category={name} count={count} isSelected={name === selected} />
        ))}
      </ul>
    </nav>
  );
}

interface CategoryLinkProps {
  name: string;
  /** Absent for all categories. */
  category?: string;
  count: number;
  isSelected: boolean;
}

const CategoryLink = ({ name, category, count, isSelected }: CategoryLinkProps) => (
  <li>
    <Link
      from={libraryRoute.fullPath}
      to="."
      search={({ category: _, ...search }) => ({ ...search, ...(category !== undefined && { category }) })}
      aria-current={isSelected ? 'true' : undefined}
      className={`flex h-8 items-center gap-2 rounded-md px-2 text-sm whitespace-nowrap hover:bg-hover ${isSelected ? 'bg-pressed font-medium' : 'text-muted hover:text-ink'}`}
    >
      <span dir="auto" title={name} className="min-w-0 flex-1 truncate">
        {name}
      </span>
      <span className="nums text-xs text-muted">{formatCount(count)}</span>
    </Link>
  </li>
);
