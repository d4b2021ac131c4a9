"""What a model proposes: quoted requests, bounded replies, records. Never more than a proposal."""
