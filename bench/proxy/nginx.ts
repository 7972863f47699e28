import {mkdirSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {freePort, makeDirectory, removeDirectory, startProcess, untilListening} from './processes.ts';

export const nginx = '/usr/sbin/nginx';

/** One process, no log, and connections kept for as long as the load goes on. */
const configuration = (port: number, {location, upstream = ''}: NginxParts): string => `
	daemon off;
	master_process off;
	pid nginx.pid;
	error_log stderr error;
	worker_processes 1;
	events { worker_connections 1024; }
	http {
		access_log off;
		keepalive_requests 1000000000;
		client_body_temp_path temporary;
		proxy_temp_path temporary;
		fastcgi_temp_path temporary;
		uwsgi_temp_path temporary;
		scgi_temp_path temporary;
		${upstream}
		server {
			listen 127.0.0.1:${port} backlog=1024;
			location / { ${location} }
		}
	}
`;

type NginxParts = Readonly<{location: string; upstream?: string}>;

export const startNginx = async (parts: NginxParts) => {
	const directory = makeDirectory(tmpdir());
	const port = await freePort();
	mkdirSync(join(directory, 'temporary'));
	const file = join(directory, 'nginx.conf');
	writeFileSync(file, configuration(port, parts));
	const running = startProcess(nginx, ['-p', directory, '-c', file, '-e', 'stderr']);
	await untilListening(running, port);
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		pid: running.pid,
		stop: async () => {
			await running.stop();
			removeDirectory(directory);
		},
	};
};
