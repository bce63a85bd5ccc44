export const ViewPage = () => null;
