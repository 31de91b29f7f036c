# A shop's servers: every construct that the data of HCL speaks of.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}

variable "region" {
  type        = string
  description = "Where the servers stand"
  default     = "eu-west-1"
}

// What is used in many places.
locals {
  names  = ["front", "back"]
  count  = length(local.names) > 1 ? 2 : 1
  tags   = { for name in local.names : name => upper(name) if name != "back" }
  ids    = [for index, name in local.names : "${name}-${index}"]
  first  = aws_instance.front[*].id
  second = aws_instance.front.*.id
  plain  = local.names[0]
  not    = !true && (null == null)
  half   = 1.5 / -2
}

/* A server
   in front. */
resource "aws_instance" "front" {
  count         = local.count
  ami           = data.aws_ami.ubuntu.id
  instance_type = "t3.micro"
  user_data     = <<-EOF
    #!/bin/sh
    echo ${var.region} %{ if local.count > 1 }many%{ else }one%{ endif }
  EOF
  tags = merge(local.tags, {
    Name = "front"
    (var.region) = "here"
  })

  dynamic "ebs_block_device" {
    for_each = local.names
    content {
      device_name = ebs_block_device.value
    }
  }

  lifecycle {
    create_before_destroy = true
  }
}

data "aws_ami" "ubuntu" {
  most_recent = true
}

module "network" {
  source = "./network"
  cidr   = format("10.%d.0.0/16", 3)
  zones  = slice(data.zones.all.names, 0, 3)
}

provider "aws" {
  region = var.region
}

output "address" {
  value     = aws_instance.front[0].private_ip
  sensitive = true
}
