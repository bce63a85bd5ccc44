/** Grey lines in place of rows, for the first paint only. Screen readers read "Loading". */
export function Skeleton({ rows = 6, className = '' }: { rows?: number; className?: string }) {
  return (
    <div role="status" className={`flex flex-col gap-3 p-4 ${className}`}>
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <div
          key={index}
          className="h-5 animate-pulse rounded-sm bg-pressed"
          style={{ width: `${90 - ((index * 17) % 40)}%` }}
        />
      ))}
    </div>
  );
}
