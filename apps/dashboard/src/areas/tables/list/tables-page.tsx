export const TablesPage = () => null;
