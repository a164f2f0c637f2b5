/** The address of this page without what follows it; the API is reached from there, wherever a proxy has put it. */
export const PAGE = location.origin + location.pathname;
