#!/usr/bin/env bash
# Installs by apt what the tests need and no Python package brings, where it is missing: libarchive, PostgreSQL, Chromium, Java and
# Maven (for Flink), promtool, systemd-analyze, Postfix, gettext, French data for tesseract, the tools that make disk images, and the servers that are scanned.
# An argument (image, compose, systemd, cluster, java) names what a command of its own needs instead: a container engine and what it starts.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
missing=()

tools() { # program:package
    for tool in "$@"; do
        command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
    done
}

for_all_tests() {
    ldconfig -p | grep -q 'libarchive\.so' || missing+=(libarchive13)
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null || missing+=(postgresql)
    command -v chromedriver >/dev/null || missing+=(chromium chromium-driver fonts-dejavu-core)
    command -v java >/dev/null || missing+=(default-jre-headless)
    command -v smbd >/dev/null || missing+=(samba samba-vfs-modules)
    command -v mvn >/dev/null || missing+=(maven)
    compgen -G '/usr/share/tesseract-ocr/*/tessdata/fra.traineddata' >/dev/null || missing+=(tesseract-ocr-fra)
    command -v promtool >/dev/null || missing+=(prometheus)
    command -v systemd-analyze >/dev/null || missing+=(systemd)
    tools postfix:postfix mke2fs:e2fsprogs mkfs.fat:dosfstools mcopy:mtools mkntfs:ntfs-3g sfdisk:fdisk qemu-img:qemu-utils \
        ewfacquire:ewf-tools cryptsetup:cryptsetup-bin mkfs.exfat:exfatprogs mkfs.xfs:xfsprogs mkfs.btrfs:btrfs-progs xorrisofs:xorriso \
        dovecot:dovecot-imapd sshd:openssh-server mariadbd:mariadb-server git:git msgfmt:gettext
}

for_java() {
    tools java:default-jre-headless mvn:maven
}

for_podman() {
    tools podman:podman buildah:buildah runc:runc mmdebstrap:mmdebstrap
}

for_images() { # docker where its daemon answers
    docker info >/dev/null 2>&1 || for_podman
}

for_compose() { # services find each other by name
    for_images
    docker info >/dev/null 2>&1 || tools /usr/lib/podman/netavark:netavark /usr/lib/podman/aardvark-dns:aardvark-dns
}

for_cluster() {
    for_images
    tools etcd:etcd-server containerd:containerd runc:runc /usr/lib/cni/bridge:containernetworking-plugins dnsmasq:dnsmasq-base \
        ip:iproute2 iptables:iptables ipset:ipset curl:curl openssl:openssl
}

case "${1:-all}" in
    all) for_all_tests ;;
    image) for_images ;;
    compose) for_compose ;;
    systemd) for_podman ;;
    cluster) for_cluster ;;
    java) for_java ;;
    *) echo "tests/system_packages.sh knows image, compose, systemd, cluster and java, not $1" >&2 && exit 2 ;;
esac
((${#missing[@]})) || exit 0

install="apt-get update -qq && apt-get install -y -qq --no-install-recommends ${missing[*]}"
if command -v apt-get >/dev/null && ((EUID == 0)); then
    bash -c "DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; $install"
elif command -v apt-get >/dev/null && command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo -n bash -c "DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; $install"
else
    echo "The tests need packages of the system that are missing: ${missing[*]}" >&2
    echo "Install them (on Debian or Ubuntu by the line below), then start again:" >&2
    echo "  sudo sh -c '$install'" >&2
    exit 1
fi
