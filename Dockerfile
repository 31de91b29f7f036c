# The static program of a release, and nothing else. The context is the folder of an unpacked archive of the Linux musl target;
# docs/ci.md shows the commands. A search needs no shell, no C library and no certificates.
#
# `--target ci`: Alpine with git, which `--changed-since` and `--staged` run, and with a shell for services that need one.

FROM alpine:3.22 AS ci
# hadolint ignore=DL3018
RUN apk add --no-cache git
COPY cst /usr/local/bin/cst
ENV CST_STATE=/tmp/cst
WORKDIR /src
CMD ["cst", "--help"]

FROM scratch AS program
COPY cst /cst
COPY LICENSE-MIT LICENSE-APACHE /licenses/
# Sessions and backups: the user below has no home.
ENV CST_STATE=/tmp/cst
WORKDIR /src
# Any number is a user; files that it writes into a mounted folder get that owner, so give `--user` to write.
USER 65534:65534
ENTRYPOINT ["/cst"]
CMD ["--help"]
