import { Link } from '@tanstack/react-router';

/** A name of a vault, which leads to its panel. */
export const VaultLink = ({ vault, className }: { vault: { id: string; name: string }; className: string }) => (
  <Link
    to="/installation/$section"
    params={{ section: 'vaults' }}
    search={{ open: vault.id }}
    dir="auto"
    className={className}
  >
    {vault.name}
  </Link>
);
