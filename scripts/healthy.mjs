// The health check of the image: ends with 0 where the server of this container may be sent traffic.
const { PORT = '3000' } = process.env;
const response = await fetch(`http://127.0.0.1:${PORT}/api/ready`, { signal: AbortSignal.timeout(4000) }).catch(
  () => null,
);
process.exitCode = response?.ok ? 0 : 1;
