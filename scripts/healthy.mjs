// The health check of the image. Exits with 0 if the server in this container is ready for traffic.
const { PORT = '3000' } = process.env;
const response = await fetch(`http://127.0.0.1:${PORT}/api/ready`, { signal: AbortSignal.timeout(4000) }).catch(
  () => null,
);
process.exitCode = response?.ok ? 0 : 1;
