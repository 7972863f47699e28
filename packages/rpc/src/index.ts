export type {ServingSettings} from './gate.ts';
export type {
	AppendOutputResponse,
	Cancel,
	CompleteBrowserLoginRequest,
	DeregisterRequest,
	DeregisterResponse,
	Drain,
	ExecutionSpec,
	FinishRequest,
	FinishResponse,
	HeartbeatRequest,
	HeartbeatResponse,
	LeaseRequest,
	LeaseResponse,
	LoginRequest,
	LoginResponse,
	Outcome,
	OutputChunk,
	RegisterRequest,
	RegisterResponse,
	RevokeCurrentKeyRequest,
	RevokeCurrentKeyResponse,
	Running,
	StartBrowserLoginRequest,
	StartBrowserLoginResponse,
	StartRequest,
	StartResponse,
	Stream,
	Wake,
	WatchRequest,
	WhoAmIRequest,
	WhoAmIResponse,
} from './generated/agent.ts';
export {connectGrpc, type GrpcClient, type GrpcClientSettings} from './grpc-client.ts';
export {type GrpcServer, type GrpcServerSettings, serveGrpc} from './grpc-server.ts';
export {createLink, type Link} from './link.ts';
export {requestMaxBytes, responseMaxBytes} from './message-size.ts';
export type {AgentEvent, AgentPeer, AuthPeer, Call, CallOptions, KeyPeer, LoginPeer, Peer} from './peer.ts';
export {RpcError, type RpcErrorKind} from './rpc-error.ts';
export {type Patience, whileUnavailable} from './while-unavailable.ts';
