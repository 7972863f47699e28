-- The call that wrk repeats, and its figures as one line of JSON.
wrk.method = "POST"
wrk.body = os.getenv("BENCH_BODY")
for name, value in os.getenv("BENCH_HEADERS"):gmatch("([^\n:]+):([^\n]+)") do wrk.headers[name] = value end

function done(summary, latency)
	local errors = summary.errors
	io.write(string.format(
		'{"requests":%d,"seconds":%.6f,"bytes":%d,"p50_ms":%.4f,"p99_ms":%.4f,"failures":%d}\n',
		summary.requests, summary.duration / 1e6, summary.bytes,
		latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
		errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
