/** A difference with its sign; nothing if there is none. */
export function Difference({ value, format }: { value: number; format: (value: number) => string }) {
  if (value === 0) return null;
  return <span className="whitespace-nowrap">{`${value > 0 ? '+' : '−'}${format(Math.abs(value))}`}</span>;
}
