// Parley lets in pages by their exact origin, so another port is never taken silently.
const port = Number(process.env.PORT ?? 5173);

export default { server: { host: "127.0.0.1", port, strictPort: true } };
